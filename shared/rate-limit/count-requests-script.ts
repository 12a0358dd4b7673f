/**
 * Counts a request in sliding logs, and reads an account's version, in one round trip.
 *
 * A log is a list of the timestamps (microseconds, oldest first) of the requests accepted in the last window.
 * A request is accepted and appended while the list is shorter than `limit`: refused requests do not count.
 * Logs are checked in order until one refuses. Redis' clock is used, the same for all processes.
 *
 * KEYS: the logs, then the version if requested. ARGV: number of logs, window in seconds and limit of each,
 * then the version to set if there is none. Returns the version (empty if not requested), and for each
 * checked log the consumed points (above the limit if refused) and the milliseconds until the oldest
 * timestamp leaves the window.
 *
 * If the clock is set back by more than a window (a failover to a host whose clock lags), the log would
 * refuse for that long, so it is deleted.
 */
export const countRequestsScript = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local logs = tonumber(ARGV[1])
local reply = { '' }

local versionKey = KEYS[logs + 1]
if versionKey then
  reply[1] = redis.call('GET', versionKey)
  if not reply[1] then
    reply[1] = ARGV[2 * logs + 2]
    redis.call('SET', versionKey, reply[1], 'EX', 86400)
  end
end

for place = 1, logs do
  local log = KEYS[place]
  local window = tonumber(ARGV[2 * place]) * 1000000
  local limit = tonumber(ARGV[2 * place + 1])
  local oldest = tonumber(redis.call('LINDEX', log, 0) or now)
  if oldest > now + window then
    redis.call('DEL', log)
    oldest = now
  end
  while oldest <= now - window do
    redis.call('LPOP', log)
    oldest = tonumber(redis.call('LINDEX', log, 0) or now)
  end
  local accepted = redis.call('LLEN', log)
  local isAccepted = accepted < limit
  if isAccepted then
    -- Formatted: given a number, some servers write 14 digits of it.
    redis.call('RPUSH', log, string.format('%.0f', now))
    redis.call('PEXPIREAT', log, string.format('%.0f', math.ceil((now + window) / 1000)))
  end
  reply[#reply + 1] = isAccepted and accepted + 1 or limit + 1
  reply[#reply + 1] = math.ceil((oldest + window - now) / 1000)
  if not isAccepted then return reply end
end

return reply
`;
