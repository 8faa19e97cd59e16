#!/usr/bin/env node
// The command-line tool: its commands come with lib/cli.;
