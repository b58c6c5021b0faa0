import type { Kernel, Mounted } from '../../kernel/service.ts'
import { startCleanup } from './cleanup.ts'
import { createContext } from './create-context.ts'
import { scenarioRoutes } from './http/routes.ts'
import { serveUpgrade } from './http/upgrade.ts'
import type { ScenarioOptions } from './settings.ts'
import { classroomRoutes } from './site/classroom/routes.ts'

export function mountScenarios(kernel: Kernel, options: ScenarioOptions): Mounted {
  const context = createContext(kernel, options)
  const stopUpkeep = startCleanup(context)
  return {
    routes: (app) => scenarioRoutes(app, context),
    fastPath: context.ready.fastPath,
    consoleRoutes: (console) => classroomRoutes(console, context),
    consoleLinks: [{ path: '/scenarios/workspaces', text: 'Classroom' }],
    upgrade: (request, response) => serveUpgrade(context, request, response),
    closeStreams() {
      context.held.release()
      context.live.close()
    },
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
