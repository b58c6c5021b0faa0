import { headersOf, renderPage } from '../../../../kernel/page.ts'
import { MethodNotAllowed, RecordNotFound } from '../../contract.ts'
import type { SiteRoute } from '../site-route.ts'

/** `/`: all scenarios, each with an example to try; `?q=` searches, `?show=` adds the code of one. */
export const startPage: SiteRoute = {
  async handle({ context, request, method, target }) {
    // A prefix without a path is unknown.
    if (target.path.replaceAll('/', '') !== '') throw new RecordNotFound()
    if (method !== 'GET') throw new MethodNotAllowed()
    const { cataloguePage } = await import('./catalogue-page.ts')
    const base = context.kernel.baseUrl(request)
    const frame = context.kernel.frame(base)
    const { parameters } = target
    const page = cataloguePage({
      base,
      words: parameters.get('q') ?? '',
      shown: parameters.get('show') ?? undefined,
      console: frame.console
    })
    return {
      status: 200,
      headers: { ...headersOf(page), 'cache-control': 'no-store' },
      body: renderPage(page, frame)
    }
  }
}
