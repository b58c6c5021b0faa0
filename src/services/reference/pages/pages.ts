/** All pages of the service, which are loaded together. */
export { listPage, severalPage } from './list.ts'
export { recordPage } from './record.ts'
export { rootPage } from './root.ts'
