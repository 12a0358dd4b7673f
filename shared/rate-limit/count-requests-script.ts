/**
 * Counts a request by any number of sliding logs, and reads an account's version, in one exchange.
 *
 * A log is a list of the timestamps (microseconds, oldest first) of the requests accepted in the window that ends now.
 * A request is accepted while the list holds fewer than `limit`, and only then appended: refused requests do not count.
 * The logs are asked in order, and none after one that refuses. Redis' clock is the only one, the same for all
 * processes.
 *
 * KEYS: the logs, then the version if it is wanted. ARGV: how many logs, for each its window in seconds and its limit,
 * then the version to set if there is none. Returns the version, empty if it is not wanted, and for each log that was asked
 * consumed, above the limit exactly when the request is refused, and the milliseconds until the oldest timestamp leaves
 * the window.
 *
 * A clock set back makes a log hold for longer, never shorter. Set back by more than a window (a failover to a host
 * whose clock lags), it would refuse for that long: the log is dropped then.
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
