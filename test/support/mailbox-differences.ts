/** Differences between Dovecot and the sandbox that are intended, each with its reason. */
import type { Explain } from './mailbox-comparison.ts'

type Lines = readonly string[]

interface Difference {
  reason: string
  /** For commands that begin like this, after the mode and the client. */
  command: RegExp
  /** Both without what may differ. */
  reduce: (dovecot: Lines, sandbox: Lines) => readonly [Lines, Lines]
}

const ANY = /./
const FETCHING = /^\w+ \w+ (UID )?FETCH /

/** Changes each line of both; undefined removes it. */
const inBoth =
  (change: (line: string) => string | undefined): Difference['reduce'] =>
  (dovecot, sandbox) => [
    dovecot.flatMap((line) => change(line) ?? []),
    sandbox.flatMap((line) => change(line) ?? [])
  ]

/** The lines about messages of one that the other does not mention. */
function withoutMore(lines: Lines, others: Lines): Lines {
  const mentioned = new Set(others.map(messageOf))
  return lines.filter((line) => messageOf(line) === undefined || mentioned.has(messageOf(line)))
}

function messageOf(line: string): string | undefined {
  return /^message \d+:/.exec(line)?.[0]
}

export const DIFFERENCES: readonly Difference[] = [
  {
    reason:
      'HIGHESTMODSEQ is in every response to SELECT (RFC 7162 3.1.2.1); Dovecot omits it before a client has enabled CONDSTORE.',
    command: /^plain \w+ (SELECT|EXAMINE) /,
    reduce: inBoth((line) => (line.startsWith('* [HIGHESTMODSEQ') ? undefined : line))
  },
  {
    reason: 'Dovecot tells HIGHESTMODSEQ after other commands too, which no RFC requires.',
    command: /^\w+ \w+ (?!SELECT |EXAMINE |EXPUNGE|UID EXPUNGE )/,
    reduce: inBoth((line) =>
      line.startsWith('* [HIGHESTMODSEQ') ? undefined : line.replace(/^OK \[HIGHESTMODSEQ.*/, 'OK')
    )
  },
  {
    reason:
      'The sandbox tells HIGHESTMODSEQ with every EXPUNGE, Dovecot only if a message was removed.',
    command: /^\w+ \w+ (UID )?EXPUNGE/,
    reduce: (dovecot, sandbox) =>
      dovecot.at(-1)?.includes('HIGHESTMODSEQ')
        ? [dovecot, sandbox]
        : inBoth((line) => line.replace(/^OK \[HIGHESTMODSEQ.*$/, 'OK'))(dovecot, sandbox)
  },
  {
    reason: 'Codes of rejected commands are optional (RFC 5530), except TRYCREATE.',
    command: ANY,
    reduce: inBoth((line) => line.replace(/^NO \[(NONEXISTENT|ALREADYEXISTS|READ-ONLY)\]$/, 'NO'))
  },
  {
    reason: 'A part that does not exist is NIL (RFC 3501 7.4.2); Dovecot sends an empty string.',
    command: FETCHING,
    reduce: inBoth((line) => line.replace(/(BODY\[[^\]]*\](?:<\d+>)?) NIL/g, '$1 ""'))
  },
  {
    reason: 'Dovecot takes `1.1` for `1` if part 1 has no parts; it does not exist.',
    command: FETCHING,
    reduce: (dovecot, sandbox) => {
      const missing = sandbox.flatMap((line) =>
        line.includes('BODY[1.1] ""') ? (messageOf(line) ?? []) : []
      )
      return [
        dovecot.map((line) =>
          missing.includes(messageOf(line) ?? '')
            ? line.replace(/BODY\[1\.1\] "(?:[^"\\]|\\.)*"/, 'BODY[1.1] ""')
            : line
        ),
        sandbox
      ]
    }
  },
  {
    reason: 'STORE without SILENT tells the flags of all messages; Dovecot omits unchanged ones.',
    command: /^\w+ \w+ (UID )?STORE .*FLAGS \(/,
    reduce: (dovecot, sandbox) => [dovecot, withoutMore(sandbox, dovecot)]
  },
  {
    reason:
      'FLAGS.SILENT sets all flags, so the client knows them; Dovecot tells them if another client has changed them before.',
    command: /^\w+ \w+ (UID )?STORE .* FLAGS\.SILENT \(/,
    reduce: (dovecot, sandbox) => [withoutMore(dovecot, sandbox), sandbox]
  },
  {
    reason:
      'SEARCH looks at the flags that messages have; Dovecot looks at those that the client knows, and tells of the changes afterwards.',
    command: /^\w+ \w+ (UID )?SEARCH /,
    reduce: (dovecot, sandbox) =>
      dovecot.some((line) => /^message .*FLAGS/.test(line))
        ? inBoth((line) => (/^E?SEARCH/.test(line) ? undefined : line))(dovecot, sandbox)
        : [dovecot, sandbox]
  },
  {
    reason: 'LIST with RETURN tells of children, also if CHILDREN is not among the options.',
    command: /^\w+ \w+ LIST .* RETURN \((?!.*CHILDREN)/,
    reduce: (dovecot, sandbox) => [
      dovecot,
      inBoth((line) => line.replace(/\\has(no)?children ?/, ''))(sandbox, [])[0]
    ]
  },
  {
    reason:
      'FETCH responses during a UID command have the UID (RFC 3501 6.4.8); those of Dovecot lack it if another client has changed the flags.',
    command: /^\w+ \w+ UID /,
    reduce: (dovecot, sandbox) => [
      dovecot,
      sandbox.map((line) => {
        const bare = line.replace(/, UID \d+$/, '')
        return dovecot.includes(bare) ? bare : line
      })
    ]
  },
  {
    reason: 'Dovecot does not look at the target of COPY and MOVE if no message is copied.',
    command: /^\w+ \w+ UID (COPY|MOVE)/,
    reduce: (dovecot, sandbox) =>
      sandbox.at(-1) === 'NO [TRYCREATE]' && dovecot.at(-1) === 'OK'
        ? [dovecot.slice(0, -1), sandbox.slice(0, -1)]
        : [dovecot, sandbox]
  },
  {
    reason: 'Changes of a mailbox opened by EXAMINE are rejected; Dovecot ignores them.',
    command: /^\w+ \w+ (UID )?(EXPUNGE|STORE)/,
    reduce: (dovecot, sandbox) =>
      sandbox.at(-1) === 'NO' && dovecot.at(-1) === 'OK'
        ? [dovecot.slice(0, -1), sandbox.slice(0, -1)]
        : [dovecot, sandbox]
  }
]

export const explain: Explain = (command, [dovecot, sandbox]) => {
  let both: readonly [Lines, Lines] = [dovecot, sandbox]
  for (const difference of DIFFERENCES) {
    if (difference.command.test(command)) both = difference.reduce(...both)
  }
  return both
}
