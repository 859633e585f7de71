/** What holds without an option, for programs and on the command line. */
export const PORT = 4020
export const HOST = '127.0.0.1'
export const SETTLE_AFTER_MS = 100
/** For the command alone: a program that names no file keeps the state in memory. */
export const FILE = '.sandbox/state.db'
