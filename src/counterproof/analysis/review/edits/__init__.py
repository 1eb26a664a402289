"""What a change does to the code that was there: both sides are taken apart, aligned by symbol, and compared edit by edit.

Always: a file that is new is compared with nothing. A remark without `proved` rests on one belief: that what the old code
did had a reason. It is shown as minor. How findings are filed does not belong here.
"""
