import { claimedName } from '@proto/ingress/event-log';
import { encodeKey, encodeLong } from '../keys.ts';
import { encodeText } from '../text.ts';
import type { PlacedEvent, StreamPlan } from './plan-stream.ts';

/**
 * The statement that writes the plans of several streams, each as a whole or not at all. Its rows are the names of the streams that were written.
 *
 * A stream is written only if it still has the version for which its plan was made, the claim with the plan's epoch is still valid, and none of the
 * ids is stored yet. Rows are always locked in the same order, so that two nodes do not wait for each other. The lock on the claim prevents another
 * node from taking the claim before this statement has ended.
 * @param drops whether a plan drops events or a whole stream. A statement that does not drop is cheaper, and most statements do not drop.
 */
export function writeStatement(schema: string, drops: boolean): string {
  return `
    WITH plan AS (
      SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[],
        $10::bigint[], $11::boolean[], $12::bigint[], $13::bigint[], $14::bigint[])
      AS plan (id, version, first, last, bytes, document_bytes, written_at, oldest_at, claimed, epoch, removed, dropped_from, streams, growth)
    ), event AS (
      SELECT * FROM unnest($15::bigint[], $16::bigint[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::int[], $23::bigint[],
        $24::text[], $25::text[], $26::text[])
      AS event (stream, sequence, id, type, source, payload, attributes, bytes, created_at, owner, topic, long_id)
    ), claim AS (
      SELECT name, epoch FROM ${schema}.claims WHERE (name, epoch) IN (SELECT claimed, plan.epoch FROM plan) ORDER BY name FOR SHARE
    ), held AS (
      SELECT stream.id FROM ${schema}.streams AS stream JOIN plan ON plan.id = stream.id
      WHERE stream.version = plan.version
        AND (plan.epoch IS NULL OR EXISTS (SELECT FROM claim WHERE claim.name = plan.claimed AND claim.epoch = plan.epoch))
        -- The subquery with OFFSET is looked up for each event: a join might read the whole table.
        AND NOT EXISTS (SELECT FROM event, LATERAL (
            SELECT FROM ${schema}.events AS stored WHERE stored.stream = event.stream AND stored.id = event.id OFFSET 0
          ) AS stored WHERE event.stream = stream.id)
      ORDER BY stream.id FOR UPDATE OF stream
    ), moved AS (
      UPDATE ${schema}.streams AS stream SET version = stream.version + 1, first = plan.first, last = plan.last, bytes = plan.bytes,
        document_bytes = plan.document_bytes, written_at = plan.written_at, oldest_at = plan.oldest_at
      FROM plan JOIN held ON held.id = plan.id WHERE stream.id = plan.id AND NOT plan.removed
    ), added AS (
      INSERT INTO ${schema}.events (stream, sequence, id, type, source, payload, attributes, bytes, created_at, owner, topic, long_id)
      SELECT event.* FROM event JOIN held ON held.id = event.stream
    ), documented AS (
      INSERT INTO ${schema}.documents (stream, name, text)
      SELECT document.* FROM unnest($27::bigint[], $28::text[], $29::text[]) AS document (stream, name, text) JOIN held ON held.id = document.stream
      ON CONFLICT (stream, name) DO UPDATE SET text = excluded.text
    ), counted AS (
      INSERT INTO ${schema}.usage_changes (streams, bytes)
      SELECT sum(plan.streams), sum(plan.growth) FROM plan JOIN held ON held.id = plan.id
      HAVING sum(plan.streams) <> 0 OR sum(plan.growth) <> 0
    )${drops ? dropping(schema) : ''}
    SELECT id FROM held`;
}

function dropping(schema: string): string {
  return `, removed AS (
      DELETE FROM ${schema}.streams AS stream USING plan JOIN held ON held.id = plan.id WHERE stream.id = plan.id AND plan.removed
    ), hollowed AS (
      UPDATE ${schema}.events AS stored SET payload = NULL, attributes = NULL FROM plan JOIN held ON held.id = plan.id
      WHERE stored.stream = plan.id AND stored.sequence >= plan.dropped_from AND stored.sequence < plan.first AND stored.created_at >= $30
    ), forgotten AS (
      DELETE FROM ${schema}.events AS stored USING plan JOIN held ON held.id = plan.id
      WHERE stored.stream = plan.id AND stored.sequence >= plan.dropped_from AND stored.sequence < plan.first AND stored.created_at < $30
    ), cleared AS (
      DELETE FROM ${schema}.documents AS document USING plan JOIN held ON held.id = plan.id WHERE document.stream = plan.id AND plan.removed
    ), cleared_ids AS (
      DELETE FROM ${schema}.events AS stored USING plan JOIN held ON held.id = plan.id
      WHERE stored.stream = plan.id AND plan.removed AND stored.sequence < plan.dropped_from
    )`;
}

/** Whether the plan needs a statement that can drop. */
export function isDropping({ before, after, isRemoved }: StreamPlan): boolean {
  return isRemoved || after.first > before.first;
}

/** The parameter values for {@link writeStatement}. Ids of events that are older than `cutoff` are not kept when the events are dropped. */
export function writeValues(plans: readonly StreamPlan[], cutoff: number): unknown[] {
  const events = plans.flatMap(({ before, after, events: placed }) =>
    placed.map((event) => ({ event, stream: before.id, isDropped: event.sequence < after.first })),
  );
  const documents = plans.flatMap(({ before, documents: texts }) =>
    [...texts].map(([name, text]) => ({ stream: before.id, name, text })),
  );
  const column = (of: (event: PlacedEvent) => string | undefined) =>
    events.map(({ event }) => encodeOptional(of(event)));
  return [
    plans.map(({ before }) => before.id),
    plans.map(({ before }) => before.version),
    plans.map(({ after }) => after.first),
    plans.map(({ after }) => after.last),
    plans.map(({ after }) => after.bytes),
    plans.map(({ after }) => after.documentBytes),
    plans.map(({ after }) => after.writtenAt),
    plans.map(({ after }) => after.oldestAt),
    plans.map(({ name }) => encodeKey(claimedName(name))),
    plans.map(({ epoch }) => epoch ?? null),
    plans.map(({ isRemoved }) => isRemoved),
    plans.map(({ before }) => before.first),
    plans.map(({ growth }) => growth.streams),
    plans.map(({ growth }) => growth.bytes),
    events.map(({ stream }) => stream),
    events.map(({ event }) => event.sequence),
    events.map(({ event }) => encodeKey(event.id)),
    column(({ type }) => type),
    column(({ source }) => source),
    events.map(({ event, isDropped }) => (isDropped ? null : encodeText(event.payload))),
    events.map(({ event, isDropped }) => (isDropped ? null : encodeOptional(event.attributes))),
    events.map(({ event }) => event.bytes),
    events.map(({ event }) => event.createdAt),
    column(({ owner }) => owner),
    column(({ topic }) => topic),
    events.map(({ event }) => encodeLong(event.id)),
    documents.map(({ stream }) => stream),
    documents.map(({ name }) => encodeKey(name)),
    documents.map(({ text }) => encodeText(text)),
    // Only a statement that drops events has this parameter.
    ...(plans.some(isDropping) ? [cutoff] : []),
  ];
}

function encodeOptional(text: string | undefined): string | null {
  return text === undefined ? null : encodeText(text);
}
