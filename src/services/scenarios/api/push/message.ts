/** A message to subscribers. */
export interface Message {
  /** Position from which a disconnected client resumes. */
  readonly id: number
  readonly type: string
  /** JSON. */
  readonly data: string
  readonly at: number
}

/** JSON for polls and WebSockets; event streams have separate fields for id and type. */
export function wireOfMessage({ id, type, data, at }: Message): string {
  const when = new Date(at).toISOString()
  return `{"id":${id},"type":${JSON.stringify(type)},"at":"${when}","data":${data}}`
}
