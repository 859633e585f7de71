import { testHelp } from './help.ts'

testHelp(['trigger', 'decode'])
