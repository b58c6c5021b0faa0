import { toOriginForm } from '../../kernel/request-target.ts'
import type { Service, Settings } from '../../kernel/service.ts'
import { renderError } from './contract.ts'
import { BUNDLED, checkFolder, chooseFolder, openUniverse } from './dataset/folder.ts'
import { createEndpoints } from './endpoints.ts'
import { exportTree } from './export.ts'
import { importFixtures } from './import.ts'
import { describeApi } from './openapi.ts'
import { referenceRoutes } from './routes.ts'

const settings = {
  units: {
    kind: 'string',
    default: 'on',
    choices: ['on', 'off'],
    about: 'whether height and mass have units; ?units= overrides it for one request'
  },
  data: {
    kind: 'string',
    about: 'folder with your own data set, served instead of the bundled one',
    example: './my-universe'
  }
} as const satisfies Settings

/** I-1, the reference-data API: linked, read-only records of a fictional universe. */
export const reference: Service<typeof settings> = {
  name: 'reference',
  label: 'I-1',
  summary: 'linked records of a fictional universe',
  compatibleWith: 'SWAPI',
  tryPath: '/api/people/1/',
  settings,
  server: {
    rewriteUrl: ({ url = '' }) => toOriginForm(url),
    routerOptions: { maxParamLength: 2048 }
  },
  renderError,
  openapi: describeApi,
  tools: { check: checkFolder, import: importFixtures, export: exportTree },
  async mount(kernel, options) {
    const find = () => chooseFolder(options.data, kernel.folder)
    const load = async (folder: string) => createEndpoints(await openUniverse(folder), units)
    const units = options.units === 'on'
    const folder = find()
    let endpoints = await load(folder)
    const {
      routes,
      fastPath: responseReady,
      forget
    } = referenceRoutes(kernel.baseUrl, () => endpoints)
    return {
      // A separate scope can have another error handler than the host's.
      async routes(app) {
        await app.register(async (scope) => routes(scope))
      },
      fastPath: responseReady,
      startupNote: folder === BUNDLED ? undefined : `serving ${endpoints.universe} from ${folder}`,
      async reset() {
        endpoints = await load(find())
        forget()
      }
    }
  }
}
