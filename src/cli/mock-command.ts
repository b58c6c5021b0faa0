export const MOCK_USAGES = {
  mock: {
    summary: 'Mock the API of an OpenAPI document on port 4010',
    usage: 'nonet mock <document>… [options]',
    example: 'nonet mock openapi.yaml --port 8080'
  },
  proxy: {
    summary: 'Proxy a server and validate its traffic against an OpenAPI document',
    usage: 'nonet proxy <document> <upstream> [options]',
    example: 'nonet proxy openapi.yaml https://api.example.com --errors'
  }
}

export type MockCommand = keyof typeof MOCK_USAGES

/** Commands that parse their arguments as Prism does. */
export const MOCK_COMMANDS = ['mock', 'proxy'] as const satisfies MockCommand[]

export function isMockCommand(word: string): word is MockCommand {
  return Object.hasOwn(MOCK_USAGES, word)
}
