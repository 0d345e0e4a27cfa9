@echo off
rem The agent without a window, and the commands for store IT, on the Node that comes with the package.
"%~dp0node.exe" "%~dp0dist\app\cli.js" %*
