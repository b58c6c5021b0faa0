import { createNotifications } from '../../../../kernel/database/notifications.ts'
import {
  EVENT_STREAM_HEADERS,
  type EventStream,
  openEventStream
} from '../../../../kernel/event-stream.ts'
import type { CardContext } from '../../context.ts'
import { StreamsBusy } from '../../contract.ts'
import { boardTopic } from '../../store/board-change.ts'
import { type BoardRevisions, readRevisions } from '../../store/board-revisions.ts'
import type { BoardStreams, Follower } from './follower.ts'

/** Of one process, for members and for the public each. */
const MAX_STREAMS = 500
/** Proxies close idle connections; a revoked token ends its streams within this time too. */
const BEAT_MS = 15_000
const SLOW_MS = 30_000
const RETRY_MS = 2_000

interface OpenStream extends Follower {
  readonly stream: EventStream
  readonly update: () => void
  sent: string | undefined
}

/** Event streams that tell the revision of a board whenever it changes. */
export function createBoardStreams({ kernel, store }: CardContext): BoardStreams {
  const open = new Set<OpenStream>()
  const notifications = createNotifications(kernel.database, readVersions, { areTopics: true })
  const timer = setInterval(() => {
    for (const { update } of open) update()
  }, BEAT_MS)
  timer.unref()

  async function revisionsOf(boards: readonly string[]): Promise<readonly BoardRevisions[]> {
    return boards.length === 0 ? [] : store.read(() => readRevisions(boards))
  }

  async function readVersions(topics: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const boards = topics.map((topic) => topic.slice(boardTopic('').length))
    const rows = await revisionsOf(boards)
    return new Map(rows.map(({ id, revision }) => [boardTopic(id), revision]))
  }

  /** Ends the stream if its reader may no longer see the board. */
  async function tell(one: OpenStream): Promise<void> {
    const [row] = await revisionsOf([one.board])
    const maySee = row !== undefined && (one.isMember || row.is_public === 1)
    if (!maySee || !(await one.isValid())) return one.stream.end()
    const id = String(one.isMember ? row.revision : row.public_revision)
    if (id === one.sent) return
    const isFirst = one.sent === undefined
    one.sent = id
    const event = isFirst && one.since === id ? 'current' : 'changed'
    await one.stream.send({ event, id, data: `{"revision":${id}}` })
  }

  return {
    requireSpace(follower) {
      const others = [...open].filter(({ isMember }) => isMember === follower.isMember)
      if (others.length < MAX_STREAMS) return
      throw Object.assign(new StreamsBusy(), { headers: { 'retry-after': '30' } })
    },
    async open(follower, reply) {
      const stream = openEventStream(reply, {
        headers: { ...EVENT_STREAM_HEADERS, 'x-content-type-options': 'nosniff' },
        heartbeat: { everyMs: BEAT_MS, comment: '' },
        slowMs: SLOW_MS
      })
      const tellInTurn = inTurn(() => tell(one))
      const update = () => void tellInTurn().catch(() => stream.end())
      const one: OpenStream = { ...follower, stream, update, sent: undefined }
      open.add(one)
      const unsubscribe = notifications.subscribe(boardTopic(follower.board), update)
      reply.once('close', () => {
        open.delete(one)
        unsubscribe()
      })
      await stream.send({ retry: RETRY_MS })
      await tellInTurn()
    },
    end() {
      clearInterval(timer)
      notifications.stop()
      for (const { stream } of open) stream.end()
    }
  }
}

/** Calls that arrive while one runs become one call after it. */
function inTurn(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let isWanted = false
  async function loop(): Promise<void> {
    try {
      while (isWanted) {
        isWanted = false
        await run()
      }
    } finally {
      // In the same turn as the last look at `isWanted`: a call after it starts anew.
      running = undefined
    }
  }
  return () => {
    isWanted = true
    running ??= loop()
    return running
  }
}
