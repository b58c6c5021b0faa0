/** What the response to a delivery means, or the error instead of one. */
export type Outcome =
  | { readonly state: 'done' }
  /** `dead` is final: it would be the same next time. */
  | { readonly state: 'retry' | 'dead'; readonly reason: string }

const SENTENCES: Readonly<Record<string, string>> = {
  TIMEOUT: 'The receiver did not respond within 30 s',
  UND_ERR_CONNECT_TIMEOUT: 'The receiver cannot be connected to in time',
  UND_ERR_SOCKET: 'The connection to the receiver was closed before a response',
  ECONNREFUSED: 'The receiver does not accept connections',
  ECONNRESET: 'The connection to the receiver was closed before a response',
  ENOTFOUND: 'The host name of the receiver is unknown'
}

/** `result` is a status, or the code of an `OutboundError`. */
export function outcomeOf(result: number | string): Outcome {
  if (typeof result === 'number') return outcomeOfStatus(result)
  if (result === 'ADDRESS_REFUSED') {
    return { state: 'dead', reason: 'Nothing is sent to the IP address of the receiver' }
  }
  const sentence = Object.hasOwn(SENTENCES, result) ? SENTENCES[result] : undefined
  return { state: 'retry', reason: `${sentence ?? 'The receiver cannot be reached'} (${result})` }
}

function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status < 300) return { state: 'done' }
  if (status >= 300 && status < 400) {
    return { state: 'dead', reason: `The receiver redirects (${status}), which is not followed` }
  }
  return { state: 'retry', reason: `The receiver responded with status ${status}` }
}
