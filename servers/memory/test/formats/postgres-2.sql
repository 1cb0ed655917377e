-- Format 2, as the server of that time wrote it.
create table graph (
  only_row boolean primary key default true check (only_row), format int not null, cursor_key bytea not null,
  seq bigint not null default 0, purged bigint not null default 0,
  entity_id bigint not null default 0, type_id bigint not null default 0, observation_id bigint not null default 0, relation_id bigint not null default 0,
  entities bigint not null default 0, relations bigint not null default 0, history_start bigint not null default 0);

create table call (seq bigint primary key, at bigint not null, client text collate "C");
create index call_at on call (at);

create table type (id bigint primary key, name text collate "C" not null, folded text collate "C" not null);
create unique index type_name on type (md5(name));
create index type_folded on type using gin (folded gin_trgm_ops);

create table entity (
  id bigint primary key, name text collate "C" not null, key text collate "C" not null, folded text collate "C" not null,
  type bigint not null, created bigint not null, ended bigint, extra text);
create unique index entity_name on entity (md5(name)) where ended is null;
create index entity_past on entity (md5(name)) where ended is not null;
create index entity_ended on entity (ended) where ended is not null;
create index entity_key on entity (left(key, 500), id) where ended is null;
create index entity_type on entity (type, id) where ended is null;
create index entity_folded on entity using gin (folded gin_trgm_ops) where ended is null;

create table observation (
  id bigint primary key, entity bigint not null, text text collate "C" not null, folded text collate "C" not null,
  created bigint not null, ended bigint, successor bigint, confirmed bigint);
create index observation_entity on observation (entity, id) where ended is null;
create index observation_past on observation (entity) where ended is not null;
create index observation_ended on observation (ended) where ended is not null;
create index observation_folded on observation using gin (folded gin_trgm_ops) where ended is null;

create table relation (
  id bigint primary key, source text collate "C" not null, target text collate "C" not null, type text collate "C" not null,
  created bigint not null, ended bigint, extra text);
create unique index relation_ends on relation (md5(source), md5(target), md5(type)) where ended is null;
create index relation_target on relation (md5(target)) where ended is null;
create index relation_past_source on relation (md5(source)) where ended is not null;
create index relation_past_target on relation (md5(target)) where ended is not null;
create index relation_ended on relation (ended) where ended is not null;

create table turn (
  id bigint generated always as identity primary key, seq bigint not null, entity bigint not null, kind text not null,
  past text collate "C" not null, present text collate "C" not null);
create index turn_entity on turn (entity);
create index turn_past on turn (md5(past));
create index turn_seq on turn (seq);

create table record (id bigint generated always as identity primary key, line text collate "C" not null, created bigint not null, ended bigint);
insert into graph (only_row, format, cursor_key, seq, purged, entity_id, type_id, observation_id, relation_id, entities, relations, history_start) values ('true', '2', E'\\xff5c950bc9cfd12da6217b04ceb7693eb3e3c3958b6e076d37a10dbc2f3bcd09', '6', '0', '3', '2', '5', '2', '2', '1', '0');
insert into call (seq, at, client) values ('1', '1795809585485', 'earlier-client');
insert into call (seq, at, client) values ('2', '1795809585513', 'earlier-client');
insert into call (seq, at, client) values ('3', '1795809585542', 'earlier-client');
insert into call (seq, at, client) values ('4', '1795809585563', 'earlier-client');
insert into call (seq, at, client) values ('5', '1795809585583', 'earlier-client');
insert into call (seq, at, client) values ('6', '1795809585610', 'earlier-client');
insert into type (id, name, folded) values ('1', 'person', 'person');
insert into type (id, name, folded) values ('2', 'thing', 'thing');
insert into entity (id, name, key, folded, type, created, ended, extra) values ('1', 'Ada', 'ada', 'ada', '1', '1', NULL, NULL);
insert into entity (id, name, key, folded, type, created, ended, extra) values ('2', 'Beatrix', 'beatrix', 'beatrix', '1', '1', NULL, NULL);
insert into entity (id, name, key, folded, type, created, ended, extra) values ('3', 'Gone', 'gone', 'gone', '2', '1', '3', NULL);
insert into observation (id, entity, text, folded, created, ended, successor, confirmed) values ('1', '1', 'lives in London', 'lives in london', '1', '4', NULL, NULL);
insert into observation (id, entity, text, folded, created, ended, successor, confirmed) values ('2', '1', 'likes Café Straße', 'likes café straße', '1', NULL, NULL, NULL);
insert into observation (id, entity, text, folded, created, ended, successor, confirmed) values ('3', '2', 'owns a boat', 'owns a boat', '1', NULL, NULL, NULL);
insert into observation (id, entity, text, folded, created, ended, successor, confirmed) values ('4', '3', 'was here', 'was here', '1', '3', NULL, NULL);
insert into observation (id, entity, text, folded, created, ended, successor, confirmed) values ('5', '1', 'lives in Porto', 'lives in porto', '5', NULL, NULL, NULL);
insert into relation (id, source, target, type, created, ended, extra) values ('1', 'Ada', 'Beatrix', 'sister_of', '2', NULL, NULL);
insert into relation (id, source, target, type, created, ended, extra) values ('2', 'Beatrix', 'Gone', 'had', '2', '3', NULL);
insert into turn (id, seq, entity, kind, past, present) overriding system value values ('1', '6', '2', 'name', 'Bea', 'Beatrix');
select setval(pg_get_serial_sequence('turn', 'id'), (select max(id) from turn));
