import { logging } from '@partner-payments/client'
import { connect as ours } from './ours.ts'

export const connect = (baseUrl: string, token: string) =>
  ours({ baseUrl, token, fetch: logging(console.log) })
