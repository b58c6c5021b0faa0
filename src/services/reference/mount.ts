import type { Kernel, Mounted } from '../../kernel/service.ts'
import { BUNDLED, chooseFolder, openUniverse } from './dataset/folder.ts'
import { createEndpoints } from './endpoints.ts'
import { referenceRoutes } from './routes.ts'
import type { ReferenceOptions } from './settings.ts'

export async function mountReference(kernel: Kernel, options: ReferenceOptions): Promise<Mounted> {
  const find = () => chooseFolder(options.data, kernel.folder)
  const load = async (folder: string) => createEndpoints(await openUniverse(folder), units)
  const units = options.units === 'on'
  const folder = find()
  let endpoints = await load(folder)
  const { routes, fastPath, forget } = referenceRoutes(kernel, () => endpoints)
  return {
    routes,
    fastPath,
    startupNote: folder === BUNDLED ? undefined : `serving ${endpoints.universe} from ${folder}`,
    async reset() {
      endpoints = await load(find())
      forget()
    }
  }
}
