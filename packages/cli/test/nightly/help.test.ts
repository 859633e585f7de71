import { testHelp } from '../help.ts'

testHelp(['mock', 'sandbox', 'check', 'listen', 'mcp'])
