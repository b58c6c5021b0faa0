import { RecordNotFound } from '../../contract.ts'
import type { Endpoint, Route } from '../../pipeline/request-context.ts'
import { classicLogin, classicRegister, logout } from './classic.ts'
import {
  forgotPassword,
  login,
  me,
  refresh,
  registerWithSession,
  resendVerification,
  resetPassword,
  verifyEmail,
  verifySecondFactor
} from './endpoints.ts'

const CLASSIC: ReadonlyMap<string, Route> = new Map([
  ['login', { pattern: '/api/login', endpoint: classicLogin, isLogin: true }],
  ['register', { pattern: '/api/register', endpoint: classicRegister, isLogin: true }],
  ['logout', { pattern: '/api/logout', endpoint: logout }]
])

function session(path: string, endpoint: Endpoint, isLogin?: true): [string, Route] {
  const route = { pattern: `/api/${path}`, endpoint, takesCookies: true } as const
  return [path, isLogin ? { ...route, isLogin } : route]
}

const SESSIONS: ReadonlyMap<string, Route> = new Map([
  session('auth/login', login, true),
  session('auth/register', registerWithSession, true),
  session('auth/mfa', verifySecondFactor, true),
  session('auth/refresh', refresh),
  session('auth/logout', logout),
  session('auth/forgot', forgotPassword),
  session('auth/reset', resetPassword),
  session('auth/verify', verifyEmail),
  session('auth/verify/resend', resendVerification)
])

const ME: Route = { pattern: '/api/me', endpoint: me, takesCookies: true }

const NOTHING: Route = {
  pattern: '/api/auth',
  endpoint: () => Promise.reject(new RecordNotFound()),
  takesCookies: true
}

/** Undefined if the path is not part of logins; the name is then a resource. */
export function authRoute(method: string, segments: readonly string[]): Route | undefined {
  const [name = ''] = segments
  const path = segments.join('/')
  if (name === 'me') return method === 'GET' && path === 'me' ? ME : NOTHING
  if (name === 'auth') return (method === 'POST' && SESSIONS.get(path)) || NOTHING
  return method === 'POST' ? CLASSIC.get(path) : undefined
}
