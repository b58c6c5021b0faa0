import { answerWellKnown } from './auth/well-known.ts'
import { answerCatalogue } from './control/catalogue.ts'
import { answerControl } from './control/routes.ts'
import { assets } from './pages/assets.ts'
import { demoPage, startPage } from './pages/places.ts'
import { pictures } from './picture/place.ts'
import type { Place } from './site-route.ts'
import type { Visit } from './visit.ts'

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
