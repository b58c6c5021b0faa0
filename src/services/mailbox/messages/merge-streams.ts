/** A message of a mailbox that may be on the page. */
export interface Candidate {
  readonly uid: number
  /** When it arrived, in Unix milliseconds. */
  readonly time: number
}

/** Messages of one mailbox, the newest UID first. */
export interface CandidateStream {
  readonly candidates: readonly Candidate[]
  /** UIDs of messages that another mailbox has too, which shows them. */
  readonly copies: ReadonlySet<number>
}

export interface MergedPage<Stream> {
  /** The newest first. */
  readonly chosen: readonly { readonly stream: Stream; readonly uid: number }[]
  /** By stream: how many of its candidates are chosen or copies, from the start. */
  readonly used: ReadonlyMap<Stream, number>
}

/** The newest messages of all mailboxes; within a mailbox they stay in the order of their UIDs. */
export function mergeStreams<Stream extends CandidateStream>(
  streams: readonly Stream[],
  most: number
): MergedPage<Stream> {
  const used = new Map(streams.map((stream) => [stream, skipCopies(stream, 0)]))
  const chosen: { stream: Stream; uid: number }[] = []
  while (chosen.length < most) {
    const stream = newestOf(streams, used)
    if (stream === undefined) break
    const at = used.get(stream) ?? 0
    chosen.push({ stream, uid: stream.candidates[at]?.uid ?? 0 })
    used.set(stream, skipCopies(stream, at + 1))
  }
  return { chosen, used }
}

function skipCopies({ candidates, copies }: CandidateStream, from: number): number {
  let at = from
  while (at < candidates.length && copies.has(candidates[at]?.uid ?? 0)) at++
  return at
}

/** The first one of those with the same time. */
function newestOf<Stream extends CandidateStream>(
  streams: readonly Stream[],
  used: ReadonlyMap<Stream, number>
): Stream | undefined {
  let newest: Stream | undefined
  let newestTime = Number.NEGATIVE_INFINITY
  for (const stream of streams) {
    const time = stream.candidates[used.get(stream) ?? 0]?.time
    if (time !== undefined && (newest === undefined || time > newestTime)) {
      newest = stream
      newestTime = time
    }
  }
  return newest
}
