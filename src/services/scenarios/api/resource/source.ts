import { fixturesOf, LAST_SAMPLE_ID, USERS } from '../../data/fixtures.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import type { RecordRow } from '../../store/records.ts'
import type { WireRecord } from './edges.ts'
import { syntheticRecord } from './synthetic.ts'

/** Records of a list, read in slices. */
export interface RecordSource {
  readonly total: number
  /** Id that the next record would get. */
  readonly nextId: number
  readonly slice: (from: number, count: number) => Promise<readonly WireRecord[]>
}

/** URL of an avatar, which this service draws; ReqRes clients expect the id in its name. */
export function avatarOf(call: RequestContext, id: number): string {
  const scope = id > LAST_SAMPLE_ID && call.workspace ? `/w/${call.workspace.id}` : ''
  return `${call.base}${scope}/img/faces/${id}-image.jpg`
}

/** Users have their avatar at the position that it has in ReqRes. */
export function wireOf(call: RequestContext, collection: string, record: WireRecord): WireRecord {
  if (collection !== USERS || !('email' in record) || 'avatar' in record) return record
  const { id, email, first_name, last_name, ...rest } = record
  return { id, email, first_name, last_name, avatar: avatarOf(call, Number(id)), ...rest }
}

export function wireOfRow(
  call: RequestContext,
  collection: string,
  { id, doc }: RecordRow
): WireRecord {
  return wireOf(call, collection, { id, ...JSON.parse(doc) })
}

export function sampleSource(call: RequestContext, collection: string): RecordSource {
  const samples = fixturesOf(collection)
  return {
    total: samples.length,
    nextId: samples.length + 1,
    slice: async (from, count) =>
      samples.slice(from, from + count).map((sample) => wireOf(call, collection, { ...sample }))
  }
}

/** The samples with their changes, followed by records created in the workspace. */
export async function workspaceSource(
  call: RequestContext,
  collection: string
): Promise<RecordSource> {
  const { store } = call.context
  const scope = { ws: call.workspaceId, collection }
  const { covering, own, last } = await store.surveyRecords(scope)
  const rows = new Map(covering.map((row) => [row.id, row]))
  const samples = fixturesOf(collection)
    .filter(({ id }) => rows.get(id)?.deleted !== 1)
    .map((sample): WireRecord => {
      const row = rows.get(sample.id)
      if (row === undefined) return wireOf(call, collection, { ...sample })
      return wireOfRow(call, collection, row)
    })
  return {
    total: samples.length + own,
    nextId: last + 1,
    async slice(from, count) {
      const first = samples.slice(from, from + count)
      const left = count - first.length
      if (left === 0 || own === 0) return first
      const offset = Math.max(0, from - samples.length)
      const others = await store.ownRecords(scope, left, offset)
      return [...first, ...others.map((row) => wireOfRow(call, collection, row))]
    }
  }
}

export function enlarged(
  source: RecordSource,
  call: RequestContext,
  collection: string,
  total: number
): RecordSource {
  if (total <= source.total) return source
  return {
    total,
    nextId: source.nextId + total - source.total,
    async slice(from, count) {
      const real = await source.slice(from, Math.max(0, Math.min(count, source.total - from)))
      const start = Math.max(from, source.total)
      const end = Math.min(from + count, total)
      const made = Array.from({ length: Math.max(0, end - start) }, (_, index) => {
        const id = source.nextId + start - source.total + index
        return wireOf(call, collection, { ...syntheticRecord(collection, call.seed, id) })
      })
      return [...real, ...made]
    }
  }
}

export function shortened(source: RecordSource, total: number): RecordSource {
  return {
    ...source,
    total: Math.min(total, source.total),
    slice: (from, count) => source.slice(from, Math.max(0, Math.min(count, total - from)))
  }
}

/** The source with one more record at the start. */
export function shifted(source: RecordSource, record: WireRecord): RecordSource {
  return {
    ...source,
    total: source.total + 1,
    async slice(from, count) {
      if (from > 0) return source.slice(from - 1, count)
      return [record, ...(await source.slice(0, count - 1))]
    }
  }
}
