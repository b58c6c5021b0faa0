import { handleWellKnown } from './auth/well-known.ts'
import { handleCatalogue } from './control/catalogue.ts'
import { handleControl } from './control/routes.ts'
import { assets } from './pages/assets.ts'
import { demoPage, startPage } from './pages/places.ts'
import { imageRoutes } from './picture/place.ts'
import type { SiteRoute } from './site-route.ts'
import type { ScenarioTarget } from './visit.ts'

/** By the first segment behind the prefixes; the empty one is the start page. */
const SITE_ROUTES: Readonly<Partial<Record<string, SiteRoute>>> = {
  '': startPage,
  _demo: demoPage,
  _assets: assets,
  img: imageRoutes,
  _workspaces: { handle: handleControl },
  _scenarios: { handle: handleCatalogue, isOpen: true },
  '.well-known': { handle: handleWellKnown, isOpen: true }
}

export function findSiteRoute({ segments: [first = ''] }: ScenarioTarget): SiteRoute | undefined {
  return Object.hasOwn(SITE_ROUTES, first) ? SITE_ROUTES[first] : undefined
}
