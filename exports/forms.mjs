import { load } from './load.mjs'

export const { forward } = load('services/forms/forward')
