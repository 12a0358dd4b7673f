/**
 * Sliding logs: each key is a list of the moments (microseconds, oldest first) at which a request was accepted in
 * the window that ends now. A request is accepted while fewer than `points` stand in it, and only then written,
 * so that a refused one costs nothing. Of several keys each is asked in turn, until one refuses: the later ones count
 * what all before them accept. Redis' clock is the only clock, hence the same for every process.
 *
 * KEYS the logs. ARGV, for each of them: its window in seconds, and the points of its limit, at least 1. Answers, for
 * each that was asked: consumed, which is above the limit exactly when the request is refused, and the milliseconds
 * until the oldest moment leaves the window.
 *
 * A clock that is set back makes a log hold for longer, never shorter. Set back by more than a window (a failover
 * to a host whose clock lags), it would refuse for that long: the log is dropped then.
 */
export const slidingWindowScript = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])

local answer = {}
for index, log in ipairs(KEYS) do
  local window = tonumber(ARGV[2 * index - 1]) * 1000000
  local points = tonumber(ARGV[2 * index])

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
  answer[2 * index - 1] = consumed
  answer[2 * index] = math.ceil((oldest + window - now) / 1000)
  if consumed > points then break end
end
return answer
`;
