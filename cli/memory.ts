import { setFlagsFromString } from 'node:v8'

// V8 lets a heap grow to a multiple of the live data before it collects: here by a quarter, as CI machines are small
setFlagsFromString('--heap-growing-percent=25')
// short-lived garbage is collected every few megabytes
setFlagsFromString('--max-semi-space-size=8')
