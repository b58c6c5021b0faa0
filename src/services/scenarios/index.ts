import type { Service } from '../../kernel/service.ts'
import { startCleanup } from './cleanup.ts'
import { renderError } from './contract.ts'
import { createContext } from './create-context.ts'
import { scenarioRoutes } from './http/routes.ts'
import { serveUpgrade } from './http/upgrade.ts'
import { openapi } from './openapi/openapi.ts'
import { settings } from './settings.ts'
import { classroomRoutes } from './site/pages/console.ts'
import { migrations } from './store/migrations.ts'

/** I-4, the front-end test API: an application whose errors a client can select. */
export const scenarios: Service<typeof settings> = {
  name: 'scenarios',
  label: 'I-4',
  summary: 'logins, lists and failures on demand',
  compatibleWith: 'ReqRes',
  tryPath: '/api/users?page=2',
  settings,
  migrations,
  server: { rewriteUrl: () => '/' },
  renderError,
  openapi,
  async mount(kernel, options) {
    const context = createContext(kernel, options)
    const stopUpkeep = startCleanup(context)
    return {
      routes: (app) => scenarioRoutes(app, context),
      fastPath: context.ready.fastPath,
      consoleRoutes: (console) => classroomRoutes(console, context),
      consoleLinks: [{ path: '/scenarios/workspaces', text: 'workspaces' }],
      upgrade: (request, response) => serveUpgrade(context, request, response),
      closeStreams: context.held.release,
      reset() {
        context.publicCounters.clear()
        context.signing.forget()
        context.store.forgetWorkspaces()
      },
      async stop() {
        stopUpkeep()
        context.notifications.stop()
        await context.journal.flush()
      }
    }
  }
}
