// The tables and functions of the backplane. A change adds a migration; it never edits one that was published.

/** The schema of all tables and functions. Deployments share it: their keys begin with different prefixes. */
export const SCHEMA = "oarlock_backplane";

/**
 * `record.position` is the last position of the record's log, `first_position` the oldest that is still there, `bytes` the size of its
 * texts. Columns that each addition and each `touch` change have no index, so that PostgreSQL updates rows in place.
 */
const TABLES = `
create table record (
  key text primary key,
  text text not null,
  version bigint not null,
  expires_at timestamptz not null,
  position bigint not null default 0,
  first_position bigint not null default 1,
  newest_stream integer not null default 0,
  bytes bigint not null default 0
) with (fillfactor = 70);

create table stream (
  key text not null references record on delete cascade,
  number integer not null,
  owner text not null,
  position bigint not null,
  is_ended boolean not null,
  about text not null,
  primary key (key, number)
) with (fillfactor = 70);

create table entry (
  key text not null references record on delete cascade,
  position bigint not null,
  stream integer not null,
  previous bigint not null,
  text text not null,
  primary key (key, position)
);

create table bucket (
  key text primary key,
  tokens double precision not null,
  filled_at timestamptz not null,
  expires_at timestamptz not null
) with (fillfactor = 70);`;

/** `_condition`: null, 'absent' or a version. Returns the version; null if the condition does not hold. */
const PUT = `
create function put(_key text, _text text, _ttl interval, _condition text) returns bigint language plpgsql as $$
declare
  _now timestamptz := clock_timestamp();
  _version bigint;
begin
  delete from ${SCHEMA}.record where key = _key and expires_at <= _now;
  if _condition is null then
    insert into ${SCHEMA}.record as r (key, text, version, expires_at) values (_key, _text, 1, _now + _ttl)
      on conflict (key) do update set text = _text, version = r.version + 1, expires_at = _now + _ttl
      returning version into _version;
  elsif _condition = 'absent' then
    insert into ${SCHEMA}.record (key, text, version, expires_at) values (_key, _text, 1, _now + _ttl)
      on conflict (key) do nothing
      returning version into _version;
  else
    update ${SCHEMA}.record set text = _text, version = version + 1, expires_at = _now + _ttl
      where key = _key and version = _condition::bigint
      returning version into _version;
  end if;
  return _version;
end $$;`;

/**
 * Adds texts to a stream and notifies the channel with the topic and the last position. The locked row of the record makes additions to
 * one log wait for each other, so they commit in the order of their positions. `outcome`: 'added', 'missing' or 'refused'.
 */
const APPEND = `
create function append(
  _key text, _stream integer, _writer text, _replaces text, _about text, _is_last boolean, _max_bytes bigint, _channel text, _topic text,
  _texts text[], out outcome text, out stream integer, out "position" bigint, out owner text
) language plpgsql as $$
declare
  _record ${SCHEMA}.record;
  _state ${SCHEMA}.stream;
  _count integer := cardinality(_texts);
  _size bigint;
begin
  select * into _record from ${SCHEMA}.record r where r.key = _key and r.expires_at > clock_timestamp() for no key update;
  if not found then
    outcome := 'missing';
    return;
  end if;
  stream := coalesce(_stream, _record.newest_stream + 1);
  select * into _state from ${SCHEMA}.stream s where s.key = _key and s.number = append.stream;
  if found and (_state.is_ended or (_state.owner <> _writer and _state.owner is distinct from _replaces)) then
    outcome := 'refused';
    owner := _state.owner;
    return;
  end if;

  -- The last moment of a log may be lost when the machine fails. A reader notices the gap.
  perform set_config('synchronous_commit', 'off', true);
  insert into ${SCHEMA}.entry
    select _key, _record.position + i, append.stream, case when i = 1 then coalesce(_state.position, 0) else _record.position + i - 1 end, _texts[i]
    from generate_series(1, _count) i;
  "position" := case when _count = 0 then coalesce(_state.position, 0) else _record.position + _count end;
  insert into ${SCHEMA}.stream as s values (_key, append.stream, _writer, append."position", _is_last, _about)
    on conflict (key, number) do update set owner = _writer, position = append."position", is_ended = _is_last;

  _record.position := _record.position + _count;
  _record.bytes := _record.bytes + (select coalesce(sum(octet_length(t)), 0) from unnest(_texts) t);
  -- The newest entry stays, however long it is.
  while _record.bytes > _max_bytes and _record.first_position < _record.position loop
    delete from ${SCHEMA}.entry e where e.key = _key and e.position = _record.first_position returning octet_length(e.text) into _size;
    _record.bytes := _record.bytes - coalesce(_size, 0);
    _record.first_position := _record.first_position + 1;
  end loop;
  update ${SCHEMA}.record r set position = _record.position, first_position = _record.first_position, bytes = _record.bytes,
    newest_stream = greatest(_record.newest_stream, append.stream) where r.key = _key;
  perform pg_notify(_channel, _topic || _record.position);
  outcome := 'added';
end $$;`;

/** Takes tokens from a bucket. The time is the engine's. */
const TAKE = `
create function take(_key text, _want double precision, _per_second double precision, _burst double precision) returns double precision
language plpgsql as $$
declare
  _bucket ${SCHEMA}.bucket;
  _now timestamptz;
  _tokens double precision;
  _taken double precision;
begin
  perform set_config('synchronous_commit', 'off', true);
  loop
    insert into ${SCHEMA}.bucket values (_key, _burst, clock_timestamp(), clock_timestamp() + interval '1 minute') on conflict do nothing;
    select * into _bucket from ${SCHEMA}.bucket where key = _key for update;
    exit when found;
  end loop;
  _now := clock_timestamp();
  _tokens := least(_burst, _bucket.tokens + greatest(0, extract(epoch from _now - _bucket.filled_at)) * _per_second);
  _taken := greatest(0, least(_want, floor(_tokens)));
  -- A full bucket needs no row. Ten years are the limit for rates of almost nothing.
  update ${SCHEMA}.bucket set tokens = _tokens - _taken, filled_at = _now,
    expires_at = _now + make_interval(secs => least(_burst / _per_second + 1, 315360000)) where key = _key;
  return _taken;
end $$;`;

/** One text for each version of the schema, from version 1. They run with the schema as the search path. */
export const MIGRATIONS: readonly string[] = [[TABLES, PUT, APPEND, TAKE].join("\n")];
