import createError from '@fastify/error'

export const FormTokenMissing = createError(
  'FORM_TOKEN_MISSING',
  'The form token is not of this session and form: reload the page and send the form again',
  403
)
export const SignInLinkUsed = createError(
  'SIGN_IN_LINK_USED',
  'This sign-in link was already used or has expired: open the page from the console again',
  401
)
