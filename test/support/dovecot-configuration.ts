import type { UnprivilegedUser } from './unprivileged-user.ts'

export const DOVECOT_PASSWORD = 'correct-horse'

export interface DovecotSetup {
  /** As `dovecot --version` prints it. */
  version: string
  /** Short, because paths of Unix sockets are limited to 107 bytes, and without spaces. */
  folder: string
  user: UnprivilegedUser
  imapPort: number
  lmtpPort: number
  /** Whether mail is on the disk before it is acknowledged. */
  durable: boolean
  /** Whether LMTP delivers mail to `ada+Archive@example.test` to that mailbox. */
  detailMailboxes: boolean
  oauth2?: DovecotOauth2 | undefined
}

/** Sign-in by access tokens instead of passwords. */
export interface DovecotOauth2 {
  /** The server appends an access token and reads who has it: `{email, active}`. */
  tokenInfoUrl: string
  /** `oauthbearer` and `xoauth2`. */
  mechanisms: readonly string[]
}

/** The mailboxes that a new account of the sandbox has. */
const SPECIAL_MAILBOXES = ['Drafts', 'Sent', 'Junk', 'Trash', 'Archive']

/** Configuration of a server on which every user name has the same password. */
export function dovecotConfiguration(setup: DovecotSetup): string {
  const [major = 0, minor = 0] = setup.version.split('.').map(Number)
  const isNew = major > 2 || (major === 2 && minor >= 4)
  return `${isNew ? accounts24(setup) : accounts23(setup)}${shared(setup)}`
}

/** The file that `passdb` of 2.3 names. */
export function oauth2Configuration({ tokenInfoUrl }: DovecotOauth2): string {
  return `tokeninfo_url = ${tokenInfoUrl}
username_attribute = email
active_attribute = active
active_value = true
`
}

function accounts23({ folder, user, oauth2 }: DovecotSetup): string {
  const passdb =
    oauth2 === undefined
      ? `driver = static
  args = password=${DOVECOT_PASSWORD}`
      : `driver = oauth2
  mechanisms = ${oauth2.mechanisms.join(' ')}
  args = ${folder}/oauth2.conf`
  return `disable_plaintext_auth = no
mail_location = sdbox:${folder}/mail/%u
passdb {
  ${passdb}
}
userdb {
  driver = static
  args = uid=${user.uid} gid=${user.gid} home=${folder}/mail/%u allow_all_users=yes
}
`
}

/** From 2.4 on the versions of the settings come first, and databases have settings of their own. */
function accounts24({ folder, user, oauth2 }: DovecotSetup): string {
  const passdb =
    oauth2 === undefined
      ? `passdb static {
  password = ${DOVECOT_PASSWORD}
}`
      : `oauth2 {
  introspection_mode = get
  introspection_url = ${oauth2.tokenInfoUrl}
  username_attribute = email
  active_attribute = active
  active_value = true
}
passdb oauth2 {
  mechanisms_filter = ${oauth2.mechanisms.join(' ')}
}`
  return `dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
auth_allow_cleartext = yes
mail_driver = sdbox
mail_path = ${folder}/mail/%{user}
${passdb}
userdb static {
  allow_all_users = yes
  fields {
    uid = ${user.uid}
    gid = ${user.gid}
    home = ${folder}/mail/%{user}
  }
}
`
}

/** Without `chroot` the processes start without root. */
function shared(setup: DovecotSetup): string {
  const { folder, user, imapPort, lmtpPort, durable, detailMailboxes, oauth2 } = setup
  const mailboxes = SPECIAL_MAILBOXES.map(
    (name) => `  mailbox ${name} {
    auto = create
    special_use = \\${name}
  }
`
  ).join('')
  return `protocols = imap lmtp
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = no
auth_mechanisms = ${oauth2 === undefined ? 'plain login' : oauth2.mechanisms.join(' ')}
auth_failure_delay = 0
default_internal_user = ${user.name}
default_internal_group = ${user.group}
default_login_user = ${user.name}
default_process_limit = 1200
default_client_limit = 4000
first_valid_uid = 1
first_valid_gid = 1
mail_max_userip_connections = 100000
mail_fsync = ${durable ? 'optimized' : 'never'}
recipient_delimiter = +
lmtp_save_to_detail_mailbox = ${detailMailboxes ? 'yes' : 'no'}
namespace inbox {
  inbox = yes
  separator = /
${mailboxes}}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
service imap-login {
  chroot =
  # One process for all connections.
  service_count = 0
  inet_listener imap {
    port = ${imapPort}
  }
  inet_listener imaps {
    port = 0
  }
}
service lmtp {
  inet_listener lmtp {
    port = ${lmtpPort}
  }
}
hostname = localhost
postmaster_address = postmaster@example.test
`
}
