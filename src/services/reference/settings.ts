import type { Options, Settings } from '../../kernel/service.ts'

export const settings = {
  units: {
    kind: 'string',
    default: 'on',
    original: 'off',
    choices: ['on', 'off'],
    about: 'whether height and mass have units; ?units= overrides it for one request'
  },
  data: {
    kind: 'string',
    about: 'folder with your own data set, served instead of the bundled one',
    example: './my-universe'
  }
} as const satisfies Settings

export type ReferenceOptions = Options<typeof settings>
