/** One thing that subscribers are told. */
export interface Message {
  /** Where a client goes on that was cut off. */
  readonly id: number
  readonly type: string
  /** JSON. */
  readonly data: string
  readonly at: number
}

/** As polls and sockets send it; a stream has fields of its own for the rest. */
export function wireOfMessage({ id, type, data, at }: Message): string {
  const when = new Date(at).toISOString()
  return `{"id":${id},"type":${JSON.stringify(type)},"at":"${when}","data":${data}}`
}
