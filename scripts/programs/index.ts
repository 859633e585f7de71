export { freePort } from './free-port.ts'
export { type Ended, Program } from './program.ts'
