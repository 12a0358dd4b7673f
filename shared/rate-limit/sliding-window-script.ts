/**
 * A sliding log for RateLimiterRedis (its `customIncrTtlLuaScript`): a list of the timestamps (microseconds, oldest
 * first) of the requests accepted in the window that ends now. A request is accepted while the list holds fewer than
 * `limit`, and only then appended: refused requests do not count. Redis' clock is the only one, the same for all
 * processes.
 *
 * KEYS[1] the log. ARGV: requests to count (1, or -1 to take the last one back), the window in seconds, the limit.
 * Returns consumed, above the limit exactly when the request is refused, and the milliseconds until the oldest
 * timestamp leaves the window.
 *
 * A clock set back makes a log hold for longer, never shorter. Set back by more than a window (a failover to a host
 * whose clock lags), it would refuse for that long: the log is dropped then.
 */
export const slidingWindowScript = `
local log = KEYS[1]
local window = tonumber(ARGV[2]) * 1000000
local limit = tonumber(ARGV[3])

if tonumber(ARGV[1]) < 0 then
  redis.call('RPOP', log)
  return { redis.call('LLEN', log), 0 }
end

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local oldest = tonumber(redis.call('LINDEX', log, 0) or now)
if oldest > now + window then
  redis.call('DEL', log)
  oldest = now
end
while oldest <= now - window do
  redis.call('LPOP', log)
  oldest = tonumber(redis.call('LINDEX', log, 0) or now)
end

local consumed = limit + 1
local accepted = redis.call('LLEN', log)
if accepted < limit then
  consumed = accepted + 1
  -- Formatted: given a number, some servers write 14 digits of it.
  redis.call('RPUSH', log, string.format('%.0f', now))
  redis.call('PEXPIREAT', log, string.format('%.0f', math.ceil((now + window) / 1000)))
end
return { consumed, math.ceil((oldest + window - now) / 1000) }
`;
