import { allServices } from './catalogue.ts'
import { createReader } from './configuration-reader.ts'

/** The configuration of all services. */
export const {
  settings: ALL_SETTINGS,
  fromEnvironment,
  fromFile,
  fromObject,
  configure
} = createReader(allServices)
