import { toOriginForm } from '../../kernel/request-target.ts'
import type { Service } from '../../kernel/service.ts'
import { renderError } from './contract.ts'
import { wantsErrorPage } from './resource-request.ts'
import { settings } from './settings.ts'

/** I-1, the reference-data API: linked, read-only records of a fictional universe. */
export const reference: Service<typeof settings> = {
  name: 'reference',
  label: 'I-1',
  summary: 'linked records of a fictional universe',
  compatibleWith: 'SWAPI',
  example: { method: 'GET', path: '/api/people/1/' },
  pagePath: '/',
  settings,
  server: {
    rewriteUrl: ({ url = '' }) => toOriginForm(url),
    routerOptions: { maxParamLength: 2048 }
  },
  renderError,
  wantsErrorPage,
  async openapi(baseUrl) {
    const { describeApi } = await import('./openapi.ts')
    return describeApi(baseUrl)
  },
  tools: {
    async check(folder) {
      const { checkFolder } = await import('./dataset/folder.ts')
      return checkFolder(folder)
    },
    async import(from, to) {
      const { importFixtures } = await import('./import.ts')
      return importFixtures(from, to)
    },
    async export(to, options) {
      const { exportTree } = await import('./export.ts')
      return exportTree(to, options)
    }
  },
  async mount(kernel, options) {
    const { mountReference } = await import('./mount.ts')
    return mountReference(kernel, options)
  }
}
