import { handleWellKnown } from '../api/auth/well-known.ts'
import type { ScenarioTarget } from '../http/scenario-target.ts'
import { handleCatalogue } from './control/list-scenarios.ts'
import { handleControl } from './control/routes.ts'
import { imageRoutes } from './images/routes.ts'
import { assets } from './pages/assets.ts'
import { demoPage } from './pages/demo-routes.ts'
import { startPage } from './pages/page-routes.ts'
import type { SiteRoute } from './site-route.ts'

/** Routes by the first segment after the prefixes; the empty one is the start page. */
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
