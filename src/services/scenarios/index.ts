import type { Service } from '../../kernel/service.ts'
import { renderFailure } from './contract.ts'
import { openRoom } from './open-room.ts'
import { openapi } from './openapi.ts'
import { classRoomRoutes } from './pages/console.ts'
import { scenarioRoutes } from './routes.ts'
import { settings } from './settings.ts'
import { migrations } from './store/migrations.ts'
import { serveUpgrade } from './upgrade.ts'
import { startUpkeep } from './upkeep.ts'

/** I-4, the front-end test API: a whole application that fails in the way you ask for. */
export const scenarios: Service<typeof settings> = {
  name: 'scenarios',
  label: 'I-4',
  summary: 'logins, lists and failures on demand',
  worksWith: 'ReqRes',
  tryPath: '/api/users?page=2',
  settings,
  migrations,
  server: { rewriteUrl: () => '/' },
  renderFailure,
  openapi,
  async mount(kernel, options) {
    const room = openRoom(kernel, options)
    const stopUpkeep = startUpkeep(room)
    return {
      routes: (app) => scenarioRoutes(app, room),
      answerReady: room.ready.answerReady,
      consoleRoutes: (console) => classRoomRoutes(console, room),
      consoleLinks: [{ path: '/scenarios/workspaces', text: 'workspaces' }],
      upgrade: (request, response) => serveUpgrade(room, request, response),
      leave: room.held.release,
      reset() {
        room.publicCounters.clear()
        room.signing.forget()
        room.store.forgetWorkspaces()
      },
      async stop() {
        stopUpkeep()
        room.notifications.stop()
        await room.journal.flush()
      }
    }
  }
}
