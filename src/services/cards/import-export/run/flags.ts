import type { RemoteCommand } from '../../../../kernel/service.ts'

/** The flags of `nonet import cards`, each with its line of help. */
export const importFlags = {
  attachments: {
    type: 'string',
    about: 'folder or zip with the files of cards, found by id, then by name'
  },
  'trello-key': { type: 'string', about: 'API key of Trello, to download files from there' },
  'trello-token': { type: 'string', about: 'token of Trello that goes with the key' },
  'new-ids': { type: 'boolean', about: 'import a copy of the board with ids of its own' },
  member: { type: 'string', about: 'user name of the member of cards that gets the board' },
  comments: { type: 'boolean', about: 'import comments of an export of Trello too' },
  'dry-run': { type: 'boolean', about: 'report what an import would do, without changes' },
  json: { type: 'boolean', about: 'print the report as JSON' }
} as const satisfies RemoteCommand['flags']
