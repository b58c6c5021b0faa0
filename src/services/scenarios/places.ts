import type { IncomingMessage } from 'node:http'
import type { Answer } from './answer.ts'
import { answerWellKnown } from './auth/well-known.ts'
import { answerCatalogue } from './control/catalogue.ts'
import { answerControl } from './control/routes.ts'
import { assets } from './pages/assets.ts'
import { demoPage, startPage } from './pages/places.ts'
import { pictures } from './picture/place.ts'
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

/** By the first segment behind the prefixes; the empty one is the start page. */
const PLACES: Readonly<Partial<Record<string, Place>>> = {
  '': startPage,
  _demo: demoPage,
  _assets: assets,
  img: pictures,
  _workspaces: { answer: answerControl },
  _scenarios: { answer: answerCatalogue, isOpen: true },
  '.well-known': { answer: answerWellKnown, isOpen: true }
}

export function findPlace({ segments: [first = ''] }: Visit): Place | undefined {
  return Object.hasOwn(PLACES, first) ? PLACES[first] : undefined
}
