import { createReader } from './configuration-reader.ts'
import { allServices } from './service-registry.ts'

/** The configuration of all services. */
export const {
  settings: ALL_SETTINGS,
  fromEnvironment,
  fromFile,
  fromObject,
  configure
} = createReader(allServices)
