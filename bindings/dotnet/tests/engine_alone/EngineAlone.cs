using System;
using Xs2a;

/// <summary>A program over libxs2a, which has no sandbox.</summary>
internal static class EngineAlone
{
    private static void Main()
    {
        try
        {
            Engine.Open("{}", new Bank((method, request) => "null"));
        }
        catch (Xs2aException refused) when (refused.Code == Result.Config && Tools.KidIsValid("1234567897"))
        {
            return;
        }
        throw new Exception("a configuration without a database is accepted");
    }
}
