-- What wrk sends: rolls of two players in turn, in many matches, or the same request to the bare endpoint.
--
--   wrk … -s commands.lua URL -- play POOL KEYS THREADS     POOL: a line a match, `path token0 token1 seat-to-act`
--   wrk … -s commands.lua URL -- bare POOL KEYS THREADS     the first line alone serves for all
--
-- Each thread has matches of its own. A match waits in the thread's queue until its last roll was answered, so it has
-- at most one request on its way; wrk does not say which connection an answer came on, so the request id tells.
-- Only answers with status 200 count. One line of JSON at the end says what happened.

local threads = {}

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

accepted, starved, refused = 0, 0, {}

local matches, idle, head, tail = {}, {}, 1, 0
local serial = 0
local bare, keys

local function wait(match)
  tail = tail + 1
  idle[tail] = match
end

function init(args)
  bare, keys = args[1] == "bare", args[3]
  local total, line_number = tonumber(args[4]), 0
  for line in io.lines(args[2]) do
    local path, token0, token1, seat = line:match("^(%S+) (%S+) (%S+) (%d)$")
    -- A thread keeps its share of the lines; the bare endpoint needs one line only, which all may use.
    if bare or line_number % total == number then
      local match = { path = bare and "/commands" or path, tokens = { [0] = token0, token1 }, seat = tonumber(seat) }
      table.insert(matches, match)
      match.id = #matches
      wait(match)
    end
    line_number = line_number + 1
  end
end

local function roll(match)
  serial = serial + 1
  local id = "m" .. match.id .. "n" .. serial
  return wrk.format("POST", match.path, {
    ["Authorization"] = "Bearer " .. match.tokens[match.seat],
    ["Content-Type"] = "application/json",
    ["Idempotency-Key"] = keys .. "-" .. number .. "-" .. id,
    ["X-Request-ID"] = id,
  }, '{"type":"roll"}')
end

function request()
  if bare then
    return roll(matches[1])
  end
  if head > tail then
    starved = starved + 1
    return wrk.format("GET", "/healthz")
  end
  local match = idle[head]
  idle[head] = nil
  head = head + 1
  return roll(match)
end

local function count(status)
  if status == 200 then
    accepted = accepted + 1
  else
    local key = tostring(status)
    refused[key] = (refused[key] or 0) + 1
  end
end

function response(status, headers, body)
  if bare then
    return count(status)
  end
  local id = headers["x-request-id"] or headers["X-Request-ID"] or ""
  local number_of_match = id:match("^m(%d+)n")
  local match = number_of_match and matches[tonumber(number_of_match)]
  if not match then
    return -- an answer to the filler that a starved connection sent
  end
  count(status)
  if body:find('"match_ended"', 1, true) then
    return
  end
  -- The other seat is next, except that a new hand is begun from the left of its dealer. The same step mends a seat
  -- that was out of turn because the load before this one was cut off.
  local dealer = body:match('"hand_dealt".-"dealer":(%d)')
  match.seat = 1 - (dealer and tonumber(dealer) or match.seat)
  wait(match)
end

function done(summary, latency)
  local accepted, starved, others = 0, 0, {}
  for _, thread in ipairs(threads) do
    accepted = accepted + thread:get("accepted")
    starved = starved + thread:get("starved")
    for status, times in pairs(thread:get("refused")) do
      others[status] = (others[status] or 0) + times
    end
  end
  local listed = {}
  for status, times in pairs(others) do
    table.insert(listed, string.format('"%s":%d', status, times))
  end
  local errors = summary.errors
  print(string.format(
    '{"accepted":%d,"seconds":%.6f,"others":{%s},"starved":%d,"broken":%d,"median_ms":%.3f}',
    accepted, summary.duration / 1e6, table.concat(listed, ","), starved,
    errors.connect + errors.read + errors.write + errors.timeout, latency:percentile(50) / 1000
  ))
end
