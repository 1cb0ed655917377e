// The help of the command.

export const HELP = `Usage: oarlock-client URL ACTION [switches]
       oarlock-client ACTION [switches] -- COMMAND ARGS…

Talks to a Model Context Protocol server, over HTTP or over stdio, in every published revision.

Actions:
  list                 what the server offers (default)
  call NAME [JSON]     call a tool with arguments, such as '{"path":"."}'
  read URI             read a resource
  prompt NAME [JSON]   get a prompt
  listen [URI…]        print changes of lists and of these resources, until Ctrl+C
  login                log in at a server over HTTP, and keep the tokens for later calls

Switches:
  --json               print the result as one JSON document; with listen one for each line
  --trace              show all messages on stderr; values of members named password, token, secret and the like are replaced by ***
  --revision DATE      use this revision of the protocol; default: the newest of the server
  --header "NAME: VALUE"   send this header too; may be repeated
  --token-file FILE    send the token in this file as Authorization: Bearer, over HTTP; others do not see it in the list of processes
  --scope "A B"        log in for these scopes only; default: all that the server publishes
  --timeout SECONDS    give up after so long without progress; default 60
  --help, --version

Exit codes: 0, 1 when the server or the tool has failed, 2 when the command line is wrong, 130 after Ctrl+C.
`;
