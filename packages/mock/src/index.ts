export { createMock, type Mock, type MockOptions } from './mock.ts'
export { type RunningMock, type ServeOptions, serve } from './serve.ts'
