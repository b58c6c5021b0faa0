import type { IncomingMessage } from 'node:http'
import type { Answer } from './answer.ts'
import type { Room } from './room.ts'
import type { Visit } from './visit.ts'

/** A request for something outside `/api`. */
export interface PlaceCall {
  readonly room: Room
  readonly request: IncomingMessage
  /** HEAD counts as GET. */
  readonly method: string
  readonly visit: Visit
}

export interface Place {
  readonly answer: (call: PlaceCall) => Promise<Answer>
  /** Any page may read it. */
  readonly isOpen?: true
}
