import type { Kernel } from '../../../kernel/service.ts'
import { Problem } from '../contract.ts'
import type { Json, JsonObject } from '../document/json.ts'
import { findAt, parsePointer } from '../document/pointer.ts'
import type { EngineOptions } from '../engine/options.ts'
import type { Operation } from '../model/api.ts'
import type { Mocked } from '../response/mocker.ts'
import type { ServedApi } from '../served-api.ts'
import type { Collection } from './collection.ts'
import { describeCollections } from './describe-collections.ts'
import { createRecordEditor } from './edit-records.ts'
import { findCollection, pathOf } from './find-collection.ts'
import { type CollectionRequest, perform } from './handle-collection-request.ts'
import { makeId, type NewRecordInput } from './new-record.ts'
import { createRecords } from './records.ts'
import { seedCollections } from './seeded-collections.ts'
import { createSeeds, type Seeds } from './seeds.ts'
import { openStore, type Store } from './store.ts'
import type { CollectionView, ScopeView, StateView } from './view.ts'

/** Responds from the state; undefined if the document should respond. */
export type RespondFromState = (
  collectionRequest: Omit<CollectionRequest, 'collection'>
) => Promise<Mocked | undefined> | undefined

/** The collections of the documents with their initial records. */
export interface PreparedState {
  collections: readonly Collection[]
  seeds: Seeds
  /** URLs of files whose change requires another preparation. */
  files: readonly string[]
}

export interface State extends StateView {
  /**
   * Finds the collections of documents that are about to be served; throws a `UserError` if the
   * seed data is invalid.
   */
  prepare: (apis: readonly ServedApi[]) => Promise<PreparedState>
  /** Shows these collections and responds from them from now on. */
  follow: (prepared: PreparedState) => RespondFromState
  /** One line for each collection. */
  lines: () => string[]
}

export interface StateOptions {
  engine: EngineOptions
  /** Path of the seed file. */
  seedData: string | undefined
}

/** Reading marks a session as used at most once in this time. */
const TOUCH_EVERY_MS = 1000
const MAX_TOUCHED = 1000

export function openState(
  kernel: Pick<Kernel, 'hasDatabase' | 'database' | 'now'>,
  options: StateOptions
): State {
  const store: Store = openStore(kernel.hasDatabase ? kernel.database : undefined)
  const records = createRecords(store.tables, () => kernel.now().getTime())
  const { dynamic, seed, ignoreExamples } = options.engine
  const making: NewRecordInput = { dynamic, seed, now: kernel.now }
  const touched = new Map<string, number>()
  let current: PreparedState = {
    collections: [],
    seeds: createSeeds(new Map(), () => 0),
    files: []
  }

  async function used(session: string): Promise<void> {
    const now = kernel.now().getTime()
    if (now - (touched.get(session) ?? 0) < TOUCH_EVERY_MS) return
    if (touched.size >= MAX_TOUCHED) touched.clear()
    touched.set(session, now)
    try {
      await store.write(() => records.touch(session))
    } catch (error) {
      // Reading must work even if writing does not, for example because the disk is full.
      if (!(error instanceof Problem)) throw error
    }
  }

  async function prepare(apis: readonly ServedApi[]): Promise<PreparedState> {
    const { collections, entries, files } = await seedCollections(apis, {
      seedData: options.seedData,
      ignoreExamples
    })
    const seeds = createSeeds(entries, (collection, number) => makeId(collection, number, making))
    return { collections, seeds, files }
  }

  function follow(prepared: PreparedState): RespondFromState {
    current = prepared
    const { collections, seeds } = prepared
    const byOperation = new Map<Operation, Collection>(
      collections.flatMap((collection) =>
        [...collection.actions.keys()].map((operation) => [operation, collection] as const)
      )
    )
    const context = { store, records, seeds, options: options.engine, making, used }
    return function respondFromState(collectionRequest) {
      const collection = byOperation.get(collectionRequest.handler.operation)
      const { code, example } = collectionRequest.preferences
      if (collection === undefined || code !== undefined || example !== undefined) return undefined
      return perform(context, { ...collectionRequest, collection })
    }
  }

  async function listScopes(collection: Collection, session: string): Promise<ScopeView[]> {
    const { seeds } = current
    const written = await store.read(() => store.tables.listScopes(session))
    const all = [
      ...(collection.parents.length === 0 ? [[]] : seeds.parentsWithSeeds(collection)),
      ...written.filter((one) => one.collection === collection.key).map(({ parents }) => parents)
    ]
    const scopes = new Map(all.map((parents) => [pathOf(collection, parents), parents]))
    return Promise.all(
      [...scopes].map(async ([path, parents]) => ({
        path,
        records: (await listAt(collection, parents, session)).length
      }))
    )
  }

  async function listAt(
    collection: Collection,
    parents: readonly string[],
    session: string
  ): Promise<JsonObject[]> {
    const scope = { session, collection: collection.key, parents }
    const seedAt = current.seeds.at(collection, parents)
    const kept = await store.read(() => records.list(scope, seedAt))
    return kept.map(({ record }) => record)
  }

  async function readState(session: string | undefined, path: string, pointer: string) {
    const found = findCollection(current.collections, path)
    if (found?.parents === undefined) return undefined
    const { collection, parents, id } = found
    const value: Json | undefined =
      id === undefined
        ? await listAt(collection, parents, session ?? '')
        : await store.read(() =>
            records.find(
              { session: session ?? '', collection: collection.key, parents },
              current.seeds.at(collection, parents),
              id
            )
          )
    return value === undefined ? undefined : findAt(value, parsePointer(pointer.replace(/^#/, '')))
  }

  return {
    prepare,
    follow,
    readState,
    editor: createRecordEditor({ store, records, making, current: () => current }),
    lines: () => describeCollections(current.collections),
    async collections(session = ''): Promise<CollectionView[]> {
      const views = current.collections.map(async (collection) => ({
        path: collection.key,
        document: collection.served.label,
        actions: [...new Set(collection.actions.values())],
        id: collection.id?.name ?? null,
        places: await listScopes(collection, session)
      }))
      return Promise.all(views)
    },
    async sessions() {
      const rows = await store.read(() => store.tables.listSessions())
      return rows.map(({ session, records, bytes, used }) => ({
        session,
        records,
        bytes,
        usedAt: new Date(used)
      }))
    },
    async records(path, session = '') {
      const found = findCollection(current.collections, path)
      if (found?.parents === undefined || found.id !== undefined) return undefined
      return listAt(found.collection, found.parents, session)
    },
    async reset(session) {
      await store.write(
        () => (session === undefined ? store.tables.clear() : store.tables.dropSession(session)),
        { frees: true }
      )
    }
  }
}
