export interface Sent {
  method?: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array<ArrayBuffer>
}

export interface Answer {
  status: number
  headers: Headers
  text: string
}

export interface Expected {
  status: number
  type?: RegExp | string
  text?: RegExp | string
  json?: unknown
  /** `null` means that the header must be absent. */
  headers?: Readonly<Record<string, RegExp | string | null>>
  check?: (answer: Answer) => void | Promise<void>
}

/** One request and the expected response. */
export interface Row {
  proves: string
  send: Sent
  expect: Expected
}
