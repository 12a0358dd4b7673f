/**
 * Sliding log: the key is a list of the moments (microseconds, oldest first) at which a request was accepted in
 * the window that ends now. A request is accepted while fewer than `points` stand in it, and only then written,
 * so that a refused one costs nothing. It touches the key alone, hence fits Redis Cluster; Redis' clock is the only
 * clock, hence the same for every process.
 *
 * KEYS[1] the log. ARGV as RateLimiterRedis passes them: [1] points to consume (always 1), [2] window in seconds,
 * [3] points of the limit, at least 1. Answers {consumed, milliseconds until the oldest moment leaves the window},
 * where consumed is above the limit exactly when the request is refused.
 *
 * A clock that is set back makes the log hold for longer, never shorter. Set back by more than a window (a failover
 * to a host whose clock lags), it would refuse for that long: the log is dropped then.
 */
export const slidingWindowScript = `
local log = KEYS[1]
local window = tonumber(ARGV[2]) * 1000000
local points = tonumber(ARGV[3])
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

local consumed = points + 1
local accepted = redis.call('LLEN', log)
if accepted < points then
  consumed = accepted + 1
  -- Spelt out: given a number, some servers write 14 digits of it.
  redis.call('RPUSH', log, string.format('%.0f', now))
  redis.call('PEXPIREAT', log, string.format('%.0f', math.ceil((now + window) / 1000)))
end
return {consumed, math.ceil((oldest + window - now) / 1000)}
`;
