// The operations of the backplane that change more than one key, as Lua scripts: each runs as one step.

/**
 * Three keys belong to a record: the record itself (a hash of `text` and `version`), its log (a stream) and the state of the log (a hash).
 * The state has `position` (of the last entry), `newest` (the highest number of a stream), `bytes` (of all texts), and for each stream N
 * `owner:N`, `position:N`, `about:N` and, once it has ended, `ended:N`. Entry IDs are `0-POSITION`.
 */
const KEYS = "local record, log, state = KEYS[1], KEYS[2], KEYS[3]\n";

/** ARGV: text, time to live, condition ("", "absent" or a version). Returns the version; 0 if the condition does not hold. */
const PUT = `${KEYS}
local text, ttl, condition = ARGV[1], ARGV[2], ARGV[3]
local version = redis.call("HGET", record, "version")
if condition == "absent" then
  if version then return 0 end
elseif condition ~= "" and condition ~= version then
  return 0
end
-- A record that was evicted may have left its log.
if not version then redis.call("UNLINK", log, state) end
redis.call("HSET", record, "text", text)
local new_version = redis.call("HINCRBY", record, "version", 1)
for _, key in ipairs(KEYS) do redis.call("PEXPIRE", key, ttl) end
return new_version`;

/** ARGV: time to live. Returns the version; 0 if there is no record. */
const TOUCH = `${KEYS}
local version = redis.call("HGET", record, "version")
if not version then return 0 end
for _, key in ipairs(KEYS) do redis.call("PEXPIRE", key, ARGV[1]) end
return tonumber(version)`;

/** ARGV: channel. */
const DROP = `${KEYS}
redis.call("UNLINK", record, log, state)
redis.call("SPUBLISH", ARGV[1], "")`;

/**
 * ARGV: stream or "", writer, "=" and the owner to replace or "", about, "1" for the last addition, bytes to keep, channel, texts.
 * Returns "added", the stream and its position; "missing"; or "refused" and the owner.
 */
const APPEND = `${KEYS}
local stream, writer, replaces, about, is_last, max_bytes, channel = unpack(ARGV, 1, 7)
local ttl = redis.call("PTTL", record)
if ttl < 0 then return { "missing" } end

local facts = redis.call("HMGET", state, "newest", "position", "bytes")
local newest, position, bytes = tonumber(facts[1] or 0), tonumber(facts[2] or 0), tonumber(facts[3] or 0)
if stream == "" then stream = tostring(newest + 1) end
local stream_facts = redis.call("HMGET", state, "owner:" .. stream, "position:" .. stream, "ended:" .. stream)
local owner, previous, has_ended = stream_facts[1], stream_facts[2] or "0", stream_facts[3]
if owner and (has_ended or (owner ~= writer and "=" .. owner ~= replaces)) then return { "refused", owner } end

for index = 8, #ARGV do
  local text = ARGV[index]
  position = position + 1
  redis.call("XADD", log, "0-" .. position, "stream", stream, "previous", previous, "text", text)
  previous = tostring(position)
  bytes = bytes + #text
end
-- The newest entry stays, however long it is.
while bytes > tonumber(max_bytes) do
  local oldest = redis.call("XRANGE", log, "-", "+", "COUNT", 2)
  if #oldest < 2 then break end
  redis.call("XDEL", log, oldest[1][1])
  bytes = bytes - #oldest[1][2][6]
end

redis.call("HSET", state, "newest", math.max(newest, tonumber(stream)), "position", position, "bytes", bytes)
redis.call("HSET", state, "owner:" .. stream, writer, "position:" .. stream, previous)
redis.call("HSETNX", state, "about:" .. stream, about)
if is_last == "1" then redis.call("HSET", state, "ended:" .. stream, "1") end
redis.call("PEXPIRE", log, ttl)
redis.call("PEXPIRE", state, ttl)
redis.call("SPUBLISH", channel, tostring(position))
return { "added", tonumber(stream), tonumber(previous) }`;

/** ARGV: position, limit, stream or "". Returns the entries and owner, position, end and about of the stream; nothing if there is no record. */
const READ = `${KEYS}
local after, limit, stream = ARGV[1], ARGV[2], ARGV[3]
if redis.call("EXISTS", record) == 0 then return false end
local entries = redis.call("XRANGE", log, "(0-" .. after, "+", "COUNT", limit)
if stream == "" then return { entries, false, false, false, false } end
local facts = redis.call("HMGET", state, "owner:" .. stream, "position:" .. stream, "ended:" .. stream, "about:" .. stream)
return { entries, facts[1], facts[2], facts[3], facts[4] }`;

/** KEYS: bucket. ARGV: wanted tokens, tokens for each second, burst. Returns how many were taken. The time is the engine's. */
const TAKE = `
local bucket = KEYS[1]
local want, per_second, burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call("TIME")
local now = time[1] * 1000 + time[2] / 1000
local facts = redis.call("HMGET", bucket, "tokens", "filled_at")
local tokens, filled_at = tonumber(facts[1] or burst), tonumber(facts[2] or now)
tokens = math.min(burst, tokens + math.max(0, now - filled_at) / 1000 * per_second)
local taken = math.max(0, math.min(want, math.floor(tokens)))
redis.call("HSET", bucket, "tokens", string.format("%.6f", tokens - taken), "filled_at", string.format("%.3f", now))
-- A full bucket needs no memory. Ten years are the limit for rates of almost nothing.
local full_after = math.min(burst / per_second * 1000 + 1000, 315360000000)
redis.call("PEXPIRE", bucket, string.format("%.0f", full_after))
return taken`;

export const SCRIPTS = {
  backplanePut: { numberOfKeys: 3, lua: PUT },
  backplaneTouch: { numberOfKeys: 3, lua: TOUCH },
  backplaneDrop: { numberOfKeys: 3, lua: DROP },
  backplaneAppend: { numberOfKeys: 3, lua: APPEND },
  backplaneRead: { numberOfKeys: 3, lua: READ },
  backplaneTake: { numberOfKeys: 1, lua: TAKE },
};

type Keys = readonly [record: string, log: string, state: string];

/** What the client library makes of SCRIPTS. */
export interface Scripts {
  backplanePut(...args: [...Keys, text: string, ttlMs: number, condition: string]): Promise<number>;
  backplaneTouch(...args: [...Keys, ttlMs: number]): Promise<number>;
  backplaneDrop(...args: [...Keys, channel: string]): Promise<null>;
  backplaneAppend(
    ...args: [
      ...Keys,
      stream: string,
      writer: string,
      replaces: string,
      about: string,
      isLast: string,
      maxBytes: number,
      channel: string,
      ...texts: string[],
    ]
  ): Promise<["added", stream: number, position: number] | ["missing"] | ["refused", owner: string]>;
  backplaneRead(
    ...args: [...Keys, after: number, limit: number, stream: string]
  ): Promise<[entries: StoredEntry[], owner: string | null, position: string, ended: string | null, about: string] | null>;
  backplaneTake(bucket: string, want: number, perSecond: number, burst: number): Promise<number>;
}

/** ID and, after the name of each, stream, previous position and text. */
export type StoredEntry = [id: string, fields: [string, string, string, string, string, string]];
