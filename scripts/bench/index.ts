export { freePort } from './free-port.ts'
export { callsPerSecond, opsPerSecond } from './rounds.ts'
export { bundledSize } from './size.ts'
export { type Bench, type Row, render } from './table.ts'
