import { imapString } from '../../message/imap-strings.ts'
import { capabilityOf } from '../session/capability.ts'
import { type Command, unselect } from '../session/session.ts'
import { syntaxError } from '../wire/errors.ts'

const MAX_ID_FIELDS = 30

export const capability: Command = {
  state: 'any',
  async run(session, { scanner }) {
    scanner.end()
    session.output.line(`* CAPABILITY ${capabilityOf(session)}`)
    return { text: 'Capability completed.' }
  }
}

/** Its untagged responses are those that every command may have. */
export const noop: Command = {
  state: 'any',
  tellsChanges: true,
  async run(_session, { scanner }) {
    scanner.end()
    return { text: 'NOOP completed.' }
  }
}

export const check: Command = {
  state: 'selected',
  async run(_session, { scanner }) {
    scanner.end()
    return { text: 'Check completed.' }
  }
}

export const logout: Command = {
  state: 'any',
  async run(session, { scanner }) {
    scanner.end()
    unselect(session)
    session.output.line('* BYE Logging out')
    session.isOver = true
    return { text: 'Logout completed.' }
  }
}

export const id: Command = {
  state: 'any',
  extensions: ['ID'],
  async run(session, { scanner }) {
    scanner.space()
    if (scanner.isNext('(')) {
      const fields = scanner.list(scanner.nstring)
      if (fields.length > 2 * MAX_ID_FIELDS) throw syntaxError('Too many fields.')
    } else {
      scanner.expect('NIL')
    }
    scanner.end()
    const { version } = session.server.context.kernel
    session.output.line(`* ID ("name" "nonet" "version" ${imapString(version)})`)
    return { text: 'ID completed.' }
  }
}

export const namespace: Command = {
  state: 'authenticated',
  extensions: ['NAMESPACE'],
  async run(session, { scanner }) {
    scanner.end()
    session.output.line('* NAMESPACE (("" "/")) NIL NIL')
    return { text: 'Namespace completed.' }
  }
}

export const enable: Command = {
  state: 'authenticated',
  extensions: ['ENABLE'],
  async run(session, { scanner }) {
    const names: string[] = []
    do {
      scanner.space()
      names.push(scanner.keyword())
    } while (!scanner.isAtEnd())
    const { extensions } = session.server
    const enabled: string[] = []
    for (const name of new Set(names)) {
      if (!extensions.has(name) || !(name === 'CONDSTORE' || name === 'QRESYNC')) continue
      session.enabled.add(name)
      // RFC 7162 3.2.3: QRESYNC includes CONDSTORE.
      session.enabled.add('CONDSTORE')
      enabled.push(name)
    }
    session.output.line(['* ENABLED', ...enabled].join(' '))
    return { text: 'Enabled.' }
  }
}

export const idle: Command = {
  state: 'authenticated',
  extensions: ['IDLE'],
  async run(session, { scanner, tag }) {
    scanner.end()
    session.idleTag = tag
    session.output.line('+ idling')
    return undefined
  }
}
