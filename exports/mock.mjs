import { load } from './load.mjs'

export const { mock } = load('host/mock')
