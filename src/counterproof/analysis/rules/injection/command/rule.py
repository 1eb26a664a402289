"""Operating-system command built from untrusted data.

## What it finds
Request data, or what a language model answers, in the text of a command that a shell interprets, on this machine or on one that
is reached over SSH, or as the program of a command.

## Why it matters
The sender runs programs of their choice with the rights of the server.

## What is safe
A list of arguments without a shell, with a fixed program; `shlex.quote` around each value; numbers; values from a fixed list.

## Limits
Arguments that a program itself interprets as options are not judged.
"""

from counterproof.analysis.ruleset import PROGRAM, FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_SHELL = (("shell", "True"),)
_RUNNERS = ("run", "call", "check_call", "check_output", "Popen")
_EXECS = ("execl", "execle", "execlp", "execlpe", "execv", "execve", "execvp", "execvpe", "posix_spawn", "posix_spawnp")
_SPAWNS = ("spawnl", "spawnle", "spawnlp", "spawnlpe", "spawnv", "spawnve", "spawnvp", "spawnvpe")
_REMOTE = ("fabric.Connection()", "fabric.connection.Connection()", "invoke.Context()", "invoke.context.Context()")

_POPENS = ("os.popen2", "os.popen3", "os.popen4", "popen2.popen2", "popen2.popen3", "popen2.popen4", "platform.popen")
_NETMIKO = ("ConnectHandler", "Netmiko")
_NETMIKO_SENDS = ("send_command", "send_command_expect", "send_command_timing", "send_config_set", "send_multiline")
_PEXPECT = ("spawn", "spawnu", "replwrap.REPLWrapper")

RULE = FlowRule(
    RuleInfo(
        id="command-injection",
        title="Operating-system command built from untrusted data",
        dimension=Dimension.D1,
        kind="shell",
        cwe=78,
        severity=Severity.CRITICAL,
        impact=Impact.FULL,
        consequence="The sender can run programs on the server with the rights of the application.",
        remedy="Call the program with a list of arguments and without a shell, and take its name from the code.",
    ),
    sinks=(
        Sink("os.system", (0, "command")),
        Sink("os.popen", (0, "cmd")),
        Sink("commands.getoutput", (0,)),
        Sink("commands.getstatusoutput", (0,)),
        Sink("subprocess.getoutput", (0, "cmd")),
        Sink("subprocess.getstatusoutput", (0, "cmd")),
        *(Sink(f"subprocess.{name}", (0, "args"), when=_SHELL) for name in _RUNNERS),
        *(Sink(f"subprocess.{name}", (PROGRAM,), when=(("shell", "!True"),), only_remote=True) for name in _RUNNERS),
        Sink("asyncio.create_subprocess_shell", (0, "cmd")),
        Sink("asyncio.subprocess.create_subprocess_shell", (0, "cmd")),
        Sink("asyncio.create_subprocess_exec", (PROGRAM,), only_remote=True),
        *(Sink(f"{library}.run_process", (PROGRAM, "command"), only_remote=True) for library in ("anyio", "trio")),
        *(Sink(f"os.{name}", (0, "file", "path"), only_remote=True) for name in _EXECS),
        *(Sink(f"os.{name}", (1, "file"), only_remote=True) for name in _SPAWNS),
        Sink("os.startfile", (0, "path"), only_remote=True),
        Sink("pty.spawn", (0, "argv"), only_remote=True),
        Sink("invoke.run", (0, "command")),
        *(Sink(f"{each}.{name}", (0, "command")) for each in _REMOTE for name in ("run", "sudo", "local")),
        *(Sink(f"fabric.api.{name}", (0, "command")) for name in ("run", "sudo", "local")),
        *(Sink(f"pexpect.{name}", (0, "command")) for name in ("spawn", "spawnu", "run", "popen_spawn.PopenSpawn")),
        *(Sink(f"sh.{shell}", (1,), when=(("0", "-c"),)) for shell in ("sh", "bash", "zsh")),
        Sink("airflow.operators.bash.BashOperator", ("bash_command",)),
        Sink("airflow.operators.bash_operator.BashOperator", ("bash_command",)),
        *(Sink(name, (0, "cmd")) for name in _POPENS),
        Sink("*.exec_command", (0, "command"), receiver_from=("paramiko.",)),
        Sink("paramiko.proxy.ProxyCommand", (0, "command_line")),
        Sink("paramiko.ProxyCommand", (0, "command_line")),
        *(Sink(f"asyncssh.connect().{name}", (0, "command")) for name in ("run", "create_process", "open_session")),
        *(Sink(f"netmiko.{made}().{name}", (0, "command_string", "commands")) for made in _NETMIKO for name in _NETMIKO_SENDS),
        *(
            Sink(f"pexpect.{made}().{name}", (0, "s", "command"))
            for made in _PEXPECT
            for name in ("send", "sendline", "run_command")
        ),
        *(Sink(f"pexpect.pxssh.pxssh().{name}", (0, "s")) for name in ("send", "sendline")),
    ),
    sanitisers=("shlex.quote", "pipes.quote", "shlex.join", "django.utils.text.slugify"),
    poc="; id",
    local_users=True,
    models=True,
)
