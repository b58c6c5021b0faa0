import { load } from './load.mjs'

export const { start } = load('host/start')
